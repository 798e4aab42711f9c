import { Suspense, useEffect } from "react";
import { LoadingPage } from "./components/LoadingPage";
import { Toasts } from "./components/toasts";
import { useRoute } from "./router";
import { Failure } from "./shell/Failure";
import { Header } from "./shell/Header";
import { Navigation } from "./shell/Navigation";
import { PERSPECTIVES } from "./shell/perspectives";
import { StudioProvider } from "./studio/StudioProvider";
import Welcome from "./perspectives/Welcome";

export function App() {
  const { session, perspective } = useRoute();
  const spec = PERSPECTIVES.find((each) => each.id === perspective) ?? PERSPECTIVES[0]!;

  useEffect(() => {
    document.title = session ? `${spec.label} · fairveil studio` : "fairveil studio";
  }, [session, spec.label]);

  return (
    <>
      {session === null ? (
        <Welcome />
      ) : (
        <StudioProvider key={session} id={session}>
          <a className="skip" href="#main" onClick={skip}>
            Skip to the page
          </a>
          <Header />
          <Navigation />
          <Failure key={spec.id}>
            <Suspense fallback={<LoadingPage label={spec.label} />}>
              <spec.view />
            </Suspense>
          </Failure>
        </StudioProvider>
      )}
      <Toasts />
    </>
  );
}

/** The address after the hash is the route, so the browser's own jump cannot be used. */
function skip(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
