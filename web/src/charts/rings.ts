// Rings around what is selected, and a larger one around what the keyboard is at.
import type { Pixel } from "./picking";

export function ring(canvas: HTMLCanvasElement, pixel: Pixel, selected: ReadonlySet<number>, focused: number | null, colour: string): void {
  const ratio = devicePixelRatio || 1;
  const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  if (!context) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.beginPath();
  const around = (position: number, radius: number): void => {
    const at = pixel(position);
    if (!at) return;
    context.moveTo(at[0] + radius, at[1]);
    context.arc(at[0], at[1], radius, 0, 2 * Math.PI);
  };
  for (const position of selected) around(position, 7);
  if (focused !== null) around(focused, 11);
  context.strokeStyle = colour;
  context.lineWidth = 2.5;
  context.stroke();
}
