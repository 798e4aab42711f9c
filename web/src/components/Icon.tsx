/** Line icons on a grid of 20, which save an icon font or package. */
const PATHS = {
  undo: "M8 5 4 9l4 4 M4.5 9H12a4 4 0 0 1 0 8h-2",
  redo: "M12 5l4 4-4 4 M15.5 9H8a4 4 0 0 0 0 8h2",
  history: "M10 6v4.2l2.8 1.8 M4.2 7.5A6.5 6.5 0 1 1 3.5 10 M4 4v3.6h3.6",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z M10 2v1.5 M10 16.5V18 M2 10h1.5 M16.5 10H18 M4.3 4.3l1.1 1.1 M14.6 14.6l1.1 1.1 M4.3 15.7l1.1-1.1 M14.6 5.4l1.1-1.1",
  moon: "M16.5 11.8A6.8 6.8 0 0 1 8.2 3.5a6.8 6.8 0 1 0 8.3 8.3z",
  contrast: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14z M10 3v14 M10 6h4 M10 9h5.5 M10 12h5.5 M10 15h3",
  check: "M4.5 10.5l3.5 3.5 7.5-8",
  cross: "M5.5 5.5l9 9 M14.5 5.5l-9 9",
  warning: "M10 3.5 17.5 16.5h-15z M10 8.2v3.8 M10 14.2v.2",
  info: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14z M10 9.2v4.3 M10 6.5v.2",
  chevron: "M6 8l4 4 4-4",
  right: "M8 5.5l4.5 4.5L8 14.5",
  left: "M12 5.5 7.5 10l4.5 4.5",
  plus: "M10 4.5v11 M4.5 10h11",
  minus: "M4.5 10h11",
  trash: "M4.5 6h11 M8 6V4h4v2 M6 6l.7 10h6.6L14 6 M8.6 9v4.5 M11.4 9v4.5",
  edit: "M4 16l.8-3.4L13.4 4l2.6 2.6-8.6 8.6z",
  download: "M10 3.5v9 M6.5 9.5 10 13l3.5-3.5 M4 16.5h12",
  upload: "M10 13V4 M6.5 7 10 3.5 13.5 7 M4 16.5h12",
  file: "M5.5 3h6l3.5 3.5V17h-9.5z M11.5 3v3.5H15",
  play: "M6.5 4.5v11l9-5.5z",
  stop: "M6 6h8v8H6z",
  drag: "M8 5v.2 M12 5v.2 M8 10v.2 M12 10v.2 M8 15v.2 M12 15v.2",
  wand: "M4 16 12 8 M13.5 3.5v3 M12 5h3 M16 9.5v2 M15 10.5h2 M8 3.5v2 M7 4.5h2",
  copy: "M7.5 7.5h8v8h-8z M12.5 7.5v-3h-8v8h3",
  shield: "M10 3l6 2.2v4.3c0 3.7-2.5 6.2-6 7.5-3.5-1.3-6-3.8-6-7.5V5.2z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
