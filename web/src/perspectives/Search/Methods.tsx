import type { PartFacts, Spec } from "../../api/types";
import { MethodPicture } from "../../charts/MethodPicture";
import { Checkbox, PartFields } from "../../components";
import { useStudio } from "../../studio";
import { sentence } from "../../words";

/** All methods; those selected show their settings. */
export function Methods() {
  const { session, catalog, change } = useStudio();
  const chosen = session.document.methods;
  const set = (methods: Spec[]): void => void change("PUT /api/sessions/{session}/settings", { body: { methods } });
  return (
    <ul className="methods">
      {catalog.methods.map((part) => {
        const at = chosen.findIndex((spec) => spec.kind === part.kind);
        return (
          <Method
            key={part.kind}
            part={part}
            spec={chosen[at] ?? null}
            onChange={(spec) => set(at < 0 ? [...chosen, ...(spec ? [spec] : [])] : chosen.toSpliced(at, 1, ...(spec ? [spec] : [])))}
          />
        );
      })}
    </ul>
  );
}

function Method({ part, spec, onChange }: { part: PartFacts; spec: Spec | null; onChange: (spec: Spec | null) => void }) {
  return (
    <li className="method">
      <MethodPicture picture={part.picture} />
      <Checkbox
        isSelected={spec !== null}
        onChange={(on) => onChange(on ? { kind: part.kind } : null)}
        hint={part.false_values ? `${part.says} Individual values may be false.` : part.says}>
        <span className="choice-title">{sentence(part.title)}</span> <span className="code quiet small">{part.kind}</span>
        {part.false_values && <span className="quiet small"> · publishes {part.false_values}</span>}
      </Checkbox>
      {spec && part.fields.length > 0 && (
        <div className="method-settings">
          <PartFields part={part} spec={spec} shown={(field) => field.required} onChange={(next, settled) => settled && onChange(next)} />
        </div>
      )}
    </li>
  );
}
