export { default as doctorWords } from './doctor.json' with { type: 'json' };
