import { Button } from "react-aria-components";
import type { Example } from "../../api/types";

export function Examples({ examples, onOpen, isDisabled }: { examples: Example[]; onOpen: (example: Example) => void; isDisabled: boolean }) {
  return (
    <ul className="choices">
      {examples.map((example) => (
        <li key={example.name}>
          <Button className="choice" isDisabled={isDisabled} onPress={() => onOpen(example)}>
            <span className="choice-title">{example.title}</span>
            <span className="quiet small">{example.says}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
