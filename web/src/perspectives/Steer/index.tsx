import { Page } from "../../components/Page";

export default function Steer() {
  return (
    <Page title="Steer" lead="">
      <p />
    </Page>
  );
}
