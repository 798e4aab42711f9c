import { useEffect } from "react";
import { useLoaded } from "../../../../api/useLoaded";
import { Loading } from "../../../../components/Loading";
import { Notice } from "../../../../components/Notice";
import { useStudio } from "../../../../studio/context";
import type { FormProps } from "../Builder";

/** Read off the data: numbers in bands, other values by how alike their records are. */
export function Learnt({ facts, onSpec }: FormProps) {
  const { ask } = useStudio();
  const found = useLoaded(facts.name, (signal) => ask("POST /api/sessions/{session}/hierarchy/learn", { query: { column: facts.name } }, signal));
  useEffect(() => {
    onSpec(found.data?.spec ?? null);
  }, [found.data]);
  if (found.error) return <Notice tone="warn">{found.error}</Notice>;
  if (!found.data) return <Loading label="Looking at the data" />;
  return <p className="quiet">Numbers go into bands of neighbours; other values into groups whose records are alike.</p>;
}
