// What goes with a lattice: zoom by button, and what the shapes mean.
import { Button } from "../components/Button";
import { Checkbox } from "../components/Checkbox";

interface Props {
  onIn: () => void;
  onOut: () => void;
  onWhole: () => void;
  /** Whether nodes that keep nothing are drawn, too. */
  whole: boolean;
  onShowAll: (all: boolean) => void;
}

export function LatticeTools({ onIn, onOut, onWhole, whole, onShowAll }: Props) {
  return (
    <div className="lattice-tools">
      <ul className="legend" aria-label="What the nodes mean">
        <li><i className="node-mark node-keeps" aria-hidden="true" />keeps every guard</li>
        <li><i className="node-mark node-anonymous" aria-hidden="true" />k-anonymous only</li>
        <li><i className="node-mark node-protective" aria-hidden="true" />protective only</li>
        <li><i className="node-mark node-neither" aria-hidden="true" />neither</li>
        <li><i className="node-mark node-minimal" aria-hidden="true" />minimal</li>
        <li><i className="node-mark node-selected" aria-hidden="true" />selected</li>
      </ul>
      <Checkbox isSelected={whole} onChange={onShowAll}>Also those that are neither</Checkbox>
      <div className="zoom" role="group" aria-label="Zoom of the lattice">
        <Button variant="quiet" size="s" onPress={onOut} aria-label="Smaller">−</Button>
        <Button variant="quiet" size="s" onPress={onWhole}>Whole</Button>
        <Button variant="quiet" size="s" onPress={onIn} aria-label="Larger">+</Button>
      </div>
    </div>
  );
}
