/** A distribution in a few bars. Its figures are given beside it, so screen readers get only the label. */
export function Histogram({ counts, label, width, height }: { counts: readonly number[]; label: string; width: number; height: number }) {
  const highest = Math.max(1, ...counts);
  const step = width / Math.max(1, counts.length);
  const gap = step > 4 ? 1 : 0;
  return (
    <svg className="histogram" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {counts.map((count, i) => {
        const tall = count === 0 ? 0 : Math.max(1, (count / highest) * height);
        return <rect key={i} x={i * step} y={height - tall} width={Math.max(1, step - gap)} height={tall} />;
      })}
    </svg>
  );
}
