import { Page } from "../../components/Page";

export default function Release() {
  return (
    <Page title="Release" lead="">
      <p />
    </Page>
  );
}
