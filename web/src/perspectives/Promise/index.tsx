import { Page } from "../../components/Page";

export default function PromisePerspective() {
  return (
    <Page title="Promise" lead="">
      <p />
    </Page>
  );
}
