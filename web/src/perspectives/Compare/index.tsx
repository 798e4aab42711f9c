import { Page } from "../../components/Page";

export default function Compare() {
  return (
    <Page title="Compare" lead="">
      <p />
    </Page>
  );
}
