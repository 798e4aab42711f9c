import { Page } from "../../components/Page";

export default function Explore() {
  return (
    <Page title="Explore" lead="">
      <p />
    </Page>
  );
}
