import { Button } from "react-aria-components";

interface Props {
  options: readonly { id: string; title: string; text: string }[];
  onChoose: (id: string) => void;
  isDisabled?: boolean;
  /** In two columns where there is room. */
  isWide?: boolean;
}

/** A list of large buttons, each with an explanation. */
export function Choices({ options, onChoose, isDisabled = false, isWide = false }: Props) {
  return (
    <ul className={isWide ? "choices choices-two" : "choices"}>
      {options.map(({ id, title, text }) => (
        <li key={id}>
          <Button className="choice" isDisabled={isDisabled} onPress={() => onChoose(id)}>
            <span className="choice-title">{title}</span>
            <span className="quiet small">{text}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
