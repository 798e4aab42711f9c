// What goes with a lattice: zoom by button, and what the shapes mean.
import { Checkbox } from "../components/Checkbox";
import { type Way, ZoomTools } from "./zoom";

interface Props {
  onZoom: (way: Way) => void;
  /** Whether nodes that keep nothing are drawn, too. */
  whole: boolean;
  onShowAll: (all: boolean) => void;
}

export function LatticeTools({ onZoom, whole, onShowAll }: Props) {
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
      <ZoomTools label="Zoom of the lattice" onZoom={onZoom} />
    </div>
  );
}
