import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The studio's server serves what is built here and refuses other origins: develop with `npm run watch` beside it.
export default defineConfig({
  plugins: [react()],
  build: {
    outDir: "../src/fairveil/studio/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
});
