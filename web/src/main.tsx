import { createRoot } from "react-dom/client";
import { App } from "./App";
import "./theme";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/components.css";
import "./styles/shell.css";
import "./styles/open.css";
import "./styles/describe.css";
import "./styles/work.css";
import "./styles/charts.css";

createRoot(document.getElementById("root")!).render(<App />);
