import type { ReactNode } from "react";
import { Button, Disclosure, DisclosurePanel, Heading } from "react-aria-components";
import { Icon } from "./Icon";

/** Content that is collapsed at first. */
export function More({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Disclosure className="more">
      <Heading level={3} className="more-head">
        <Button slot="trigger" className="more-button">
          <Icon name="right" size={16} />
          <span>{label}</span>
        </Button>
      </Heading>
      <DisclosurePanel>
        <div className="more-panel">{children}</div>
      </DisclosurePanel>
    </Disclosure>
  );
}
