import { Page } from "../../components/Page";

export default function Describe() {
  return (
    <Page title="Describe" lead="">
      <p />
    </Page>
  );
}
