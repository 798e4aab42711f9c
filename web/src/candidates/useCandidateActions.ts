import { go, href } from "../router";
import { useStudio } from "../studio";

/** What can be done with any candidate. */
export function useCandidateActions() {
  const { session, change } = useStudio();
  const { clipboard } = session.document;
  return {
    /** Those that are not on the clipboard yet. */
    unclipped: (ids: readonly string[]) => ids.filter((id) => !clipboard.some((clip) => clip.candidate === id)),
    addToClipboard: (ids: readonly string[], note = "") =>
      change("PUT /api/sessions/{session}/clipboard", {
        body: {
          clipboard: [...clipboard.filter((clip) => !ids.includes(clip.candidate)), ...ids.map((candidate) => ({ candidate, note }))],
        },
      }),
    release: async (candidate: string): Promise<void> => {
      if (await change("PUT /api/sessions/{session}/chosen", { body: { candidate } })) go(href(session.id, "release"));
    },
  };
}
