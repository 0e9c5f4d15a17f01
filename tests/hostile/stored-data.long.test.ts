/** Tests every change of the data directory in hostile-home.ts. */
import { testStoredData } from './support/stored-data.ts';

testStoredData(1);
