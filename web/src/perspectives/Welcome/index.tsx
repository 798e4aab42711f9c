import { Page } from "../../components/Page";

export default function Welcome() {
  return (
    <Page title="Welcome" lead="">
      <p />
    </Page>
  );
}
