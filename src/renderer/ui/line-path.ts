const margin = 2;

/**
 * The SVG path of `values`, oldest first, with the newest at the right edge of `width` by `height` pixels. `length`
 * values fill the width; the greatest value touches the top, 0 the bottom.
 */
export const linePath = (values: readonly number[], length: number, width: number, height: number): string => {
  const top = Math.max(...values, 1);
  const step = width / (length - 1);
  const points = values.map((value, index) => {
    const x = width - (values.length - 1 - index) * step;
    const y = height - margin - (value / top) * (height - 2 * margin);
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return points.length < 2 ? '' : `M${points.join('L')}`;
};
