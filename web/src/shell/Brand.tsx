import { href } from "../router";

export function Brand() {
  return (
    <a className="brand" href={href(null)} aria-label="fairveil studio: all sessions">
      <img src="/icon.svg" alt="" width={26} height={26} />
      <span>fairveil</span>
    </a>
  );
}
