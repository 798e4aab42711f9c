import { Page } from "../../components/Page";

export default function Search() {
  return (
    <Page title="Search" lead="">
      <p />
    </Page>
  );
}
