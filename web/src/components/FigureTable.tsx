import type { ReactNode } from "react";

interface Head {
  label: ReactNode;
  numeric?: boolean;
}

interface Props {
  label: string;
  /** A column that is only a text is not numeric. The first column heads the rows. */
  heads: readonly (string | Head)[];
  rows: readonly (readonly ReactNode[])[];
}

/** A small table of figures that scrolls sideways where there is no room. */
export function FigureTable({ label, heads, rows }: Props) {
  const columns = heads.map((head): Head => (typeof head === "string" ? { label: head } : head));
  const look = (i: number) => (columns[i]?.numeric ? { className: "numeric" } : {});
  return (
    <div className="scroll-x" tabIndex={0} role="region" aria-label={label}>
      <table className="figures">
        {columns.some((column) => column.label) && (
          <thead>
            <tr>
              {columns.map((column, i) => (
                <th key={i} scope="col" {...look(i)}>
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(([head, ...cells], i) => (
            <tr key={i}>
              <th scope="row">{head}</th>
              {cells.map((cell, j) => (
                <td key={j} {...look(j + 1)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
