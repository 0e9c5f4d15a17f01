import { expect, test } from 'vitest';
import { Settings } from '../../settings/schema.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import { uploadTime } from './upload-time.ts';

const night = [{ from: '18:00', to: '06:00' }];
const noon = [{ from: '12:00', to: '13:00' }];
const moment = new Date('2026-03-10T12:30');
const settings = (managed: SettingsStore['managed'] = []) => ({
  get: () => Settings.parse({ uploads: { hours: night } }),
  managed,
});

test('the hours of the settings count where none are wanted, and those of the organisation always', () => {
  expect(uploadTime(undefined, settings(), moment)).toMatchObject({ schedule: { hours: night }, isHeldBack: true });
  expect(uploadTime({ hours: noon }, settings(), moment)).toMatchObject({
    schedule: { hours: noon },
    isHeldBack: false,
  });
  expect(uploadTime({ hours: [] }, settings(), moment)).toEqual({});
  const managed = settings(['uploads.hours']);
  expect(uploadTime({ hours: [] }, managed, moment)).toMatchObject({ schedule: { hours: night }, isHeldBack: true });
});

test('a time without hours keeps those of the settings', () => {
  const notBeforeMs = moment.getTime() - 1;
  expect(uploadTime({ notBeforeMs }, settings(), moment).schedule).toMatchObject({ notBeforeMs, hours: night });
});
