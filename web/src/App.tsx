import { Suspense, useEffect } from "react";
import { LoadingPage, Toasts } from "./components";
import { useRoute } from "./router";
import { Failure } from "./shell/Failure";
import { Header } from "./shell/Header";
import { Navigation } from "./shell/Navigation";
import { PERSPECTIVES } from "./shell/perspectives";
import { StudioProvider } from "./studio/StudioProvider";
import Welcome from "./perspectives/Welcome";

export function App() {
  const { session, perspective } = useRoute();
  const spec = PERSPECTIVES.find(({ id }) => id === perspective) ?? PERSPECTIVES[0]!;

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
            Skip to content
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

/** The hash holds the route, so the browser's own jump cannot be used. */
function skip(event: { preventDefault: () => void }): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
