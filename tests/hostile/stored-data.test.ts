/** Some damage of every kind; stored-data.long.test.ts has all of it. */
import { testStoredData } from './support/stored-data.ts';

testStoredData(20);
