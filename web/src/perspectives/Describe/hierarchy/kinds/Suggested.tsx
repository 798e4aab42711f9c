import { useEffect } from "react";
import { useLoaded } from "../../../../api/useLoaded";
import { Loading } from "../../../../components/Loading";
import { Notice } from "../../../../components/Notice";
import { useStudio } from "../../../../studio/context";
import type { FormProps } from "../Builder";

/** The kind that fits what the values look like: dates by month, numbers in round intervals, codes by their beginnings. */
export function Suggested({ facts, onSpec }: FormProps) {
  const { ask } = useStudio();
  const found = useLoaded(facts.name, (signal) => ask("POST /api/sessions/{session}/hierarchy/suggest", { query: { column: facts.name } }, signal));
  useEffect(() => {
    onSpec(found.data?.spec ?? null);
  }, [found.data]);
  if (found.error) return <Notice tone="warn">{found.error}</Notice>;
  if (!found.data) return <Loading label="Looking at the values" />;
  return <p className="quiet">{`This fits the values: ${found.data.notes[0]}. Choose another kind to set it yourself.`}</p>;
}
