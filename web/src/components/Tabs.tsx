import { type ReactNode, useEffect, useRef } from "react";
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from "react-aria-components";

interface Props {
  label: string;
  tabs: readonly { id: string; label: string; content: ReactNode }[];
  value: string;
  onChange: (id: string) => void;
}

export function Tabs({ label, tabs, value, onChange }: Props) {
  const list = useRef<HTMLDivElement>(null);
  // where there is no room for all tabs, the selected one is in view
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [value]);
  return (
    <AriaTabs className="tabs" selectedKey={value} onSelectionChange={(key) => onChange(String(key))}>
      <TabList ref={list} aria-label={label} className="tab-list">
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} className="tab">
            {tab.label}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className="tab-panel">
          {tab.content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
