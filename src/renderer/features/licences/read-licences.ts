import { z } from 'zod';

const Licences = z.array(z.object({ name: z.string(), version: z.string(), licence: z.string(), text: z.string() }));

/** A third-party package in the app, with the text of its licence. */
export type Licence = Readonly<z.infer<typeof Licences>[number]>;

/** All of them, as the build wrote them (scripts/licences.mjs); none where the app was never built. */
const readLicences = async (): Promise<readonly Licence[]> => {
  const response = await fetch('./licences.json');
  if (response.status === 404) return [];
  return Licences.parse(await response.json());
};

/** They come with the app and do not change while it runs. */
export const licencesQuery = { queryKey: ['licences'], queryFn: readLicences, staleTime: 'static' } as const;

/** The `licences` whose name, version or licence contains each word of `text`. */
export const findLicences = (licences: readonly Licence[], text: string): readonly Licence[] => {
  const words = text.toLowerCase().split(/\s+/);
  return licences.filter(({ name, version, licence }) =>
    words.every((word) => `${name} ${version} ${licence}`.toLowerCase().includes(word)),
  );
};
