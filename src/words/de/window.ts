import doctor from './doctor.json' with { type: 'json' };
import errors from './errors.json' with { type: 'json' };
import uploads from './uploads.json' with { type: 'json' };
import window from './window.json' with { type: 'json' };

export const windowWords = { ...window, ...uploads, ...doctor, ...errors };
