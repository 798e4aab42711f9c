import { IconButton } from "../components/IconButton";
import { setTheme, type Theme, useTheme } from "../theme";

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const ICON = { system: "contrast", light: "sun", dark: "moon" } as const;
const SAYS: Record<Theme, string> = { system: "as the system", light: "light", dark: "dark" };

export function ThemeButton() {
  const { theme } = useTheme();
  return (
    <IconButton
      icon={ICON[theme]}
      label={`Colours: ${SAYS[theme]}`}
      hint={`Colours: ${SAYS[theme]}. Press for ${SAYS[NEXT[theme]]}.`}
      onPress={() => setTheme(NEXT[theme])}
    />
  );
}
