import { Button } from "../components";
import { ZOOM_STEP } from "./useCanvas";

export function ZoomTools({ label, onZoom }: { label: string; onZoom: (factor: number, at: null) => void }) {
  return (
    <div className="zoom" role="group" aria-label={label}>
      <Button variant="quiet" size="s" onPress={() => onZoom(1 / ZOOM_STEP, null)} aria-label="Zoom out" label="−" />
      <Button variant="quiet" size="s" onPress={() => onZoom(0, null)} label="Show all" />
      <Button variant="quiet" size="s" onPress={() => onZoom(ZOOM_STEP, null)} aria-label="Zoom in" label="+" />
    </div>
  );
}
