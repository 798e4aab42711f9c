import { Page } from "../../components/Page";

export default function Open() {
  return (
    <Page title="Open" lead="">
      <p />
    </Page>
  );
}
