// What goes with a lattice: zoom by button, and what the shapes mean.
import { Button } from "../components/Button";

interface Props {
  onIn: () => void;
  onOut: () => void;
  onWhole: () => void;
}

export function LatticeTools({ onIn, onOut, onWhole }: Props) {
  return (
    <div className="lattice-tools">
      <ul className="legend" aria-label="What the nodes mean">
        <li><i className="mark mark-good" aria-hidden="true" />keeps every guard</li>
        <li><i className="mark mark-warn" aria-hidden="true" />k-anonymous only</li>
        <li><i className="mark mark-fair" aria-hidden="true" />protective only</li>
        <li><i className="mark mark-faint" aria-hidden="true" />neither</li>
        <li><i className="mark mark-minimal" aria-hidden="true" />minimal</li>
        <li><i className="mark mark-chosen" aria-hidden="true" />selected</li>
      </ul>
      <div className="zoom" role="group" aria-label="Zoom of the lattice">
        <Button variant="quiet" size="s" onPress={onOut} aria-label="Smaller">−</Button>
        <Button variant="quiet" size="s" onPress={onWhole}>Whole</Button>
        <Button variant="quiet" size="s" onPress={onIn} aria-label="Larger">+</Button>
      </div>
    </div>
  );
}
