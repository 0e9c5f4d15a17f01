/** Draws the requests that a service gets from a fleet, for docs/reliability.md. */
import { BACK_MS, DOWN_MS, type FleetResult, WINDOW_MS } from './fleet.ts';

const WIDTH = 760;
const HEIGHT = 260;
const LEFT = 46;
const BOTTOM = 34;
const TOP = 12;
/** The top of the chart, as a multiple of the steady load. */
const MOST = 2.5;
const MINUTE_MS = 60_000;

/** Returns an SVG with the requests and refusals in each minute, as multiples of the steady load. */
export const plotFleet = ({ requests, refused, steady }: FleetResult): string => {
  const minutes = (requests.length * WINDOW_MS) / MINUTE_MS;
  const x = (minute: number): number => LEFT + (minute / minutes) * (WIDTH - LEFT - 8);
  const y = (times: number): number => HEIGHT - BOTTOM - (Math.min(MOST, times) / MOST) * (HEIGHT - BOTTOM - TOP);
  const perMinute = (windows: readonly number[]): readonly number[] =>
    Array.from({ length: minutes }, (_, minute) => {
      const each = MINUTE_MS / WINDOW_MS;
      const sum = windows.slice(minute * each, (minute + 1) * each).reduce((total, one) => total + one, 0);
      return sum / (MINUTE_MS / 1_000) / steady;
    });
  const line = (values: readonly number[]): string =>
    values.map((times, minute) => `${x(minute + 0.5).toFixed(1)},${y(times).toFixed(1)}`).join(' ');
  const [downMinute, backMinute] = [DOWN_MS / MINUTE_MS, BACK_MS / MINUTE_MS];
  const levels = [0, 1, 2].map(
    (times) =>
      `<line x1="${LEFT}" x2="${WIDTH - 8}" y1="${y(times)}" y2="${y(times)}" stroke="#d1d1d1"/>` +
      `<text x="${LEFT - 8}" y="${y(times) + 4}" text-anchor="end">${times} ×</text>`,
  );
  const hours = Array.from({ length: minutes / 60 + 1 }, (_, hour) => hour).map(
    (hour) => `<text x="${x(hour * 60)}" y="${HEIGHT - 14}" text-anchor="middle">${hour} h</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#424242">
<title>Requests by the minute, as multiples of the usual</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>
<rect x="${x(downMinute)}" y="${TOP}" width="${x(backMinute) - x(downMinute)}" height="${HEIGHT - BOTTOM - TOP}" fill="#f0f0f0"/>
<text x="${x((downMinute + backMinute) / 2)}" y="${TOP + 20}" text-anchor="middle">the service is down</text>
${levels.join('\n')}
${hours.join('\n')}
<polyline fill="none" stroke="#0f6cbd" stroke-width="1.5" points="${line(perMinute(requests))}"/>
<polyline fill="none" stroke="#c50f1f" stroke-width="1.5" points="${line(perMinute(refused))}"/>
<text x="${x(minutes - 1)}" y="${y(2) - 6}" text-anchor="end" fill="#0f6cbd">requests</text>
<text x="${x(minutes - 1)}" y="${y(0.32)}" text-anchor="end" fill="#c50f1f">refused</text>
</svg>
`;
};
