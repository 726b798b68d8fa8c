import { expect, it } from '@jest/globals';
import { parseJavaVersion } from './java.ts';

it.each([
  ['openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment', 17],
  ['openjdk version "21" 2023-09-19', 21],
  ['java version "1.8.0_402"', 8],
  ['zsh: command not found: java', 0],
])('reads the major version of %j', (text, version) => expect(parseJavaVersion(text)).toBe(version));
