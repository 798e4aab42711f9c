import { Text } from "react-aria-components";

/** The description of a field. */
export function Hint({ children }: { children: string | undefined }) {
  if (!children) return null;
  return (
    <Text slot="description" className="hint">
      {children}
    </Text>
  );
}
