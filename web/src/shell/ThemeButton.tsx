import { IconButton } from "../components";
import { setTheme, type Theme, useTheme } from "../theme";

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const ICON = { system: "contrast", light: "sun", dark: "moon" } as const;
const LABEL: Record<Theme, string> = { system: "system", light: "light", dark: "dark" };

export function ThemeButton() {
  const theme = useTheme();
  return (
    <IconButton
      icon={ICON[theme]}
      label={`Theme: ${LABEL[theme]}`}
      hint={`Theme: ${LABEL[theme]}. Press for ${LABEL[NEXT[theme]]}.`}
      onPress={() => setTheme(NEXT[theme])}
    />
  );
}
