import { Page } from "../../components/Page";

export default function Inspect() {
  return (
    <Page title="Inspect" lead="">
      <p />
    </Page>
  );
}
