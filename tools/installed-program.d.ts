/** For the tests, which are in TypeScript; the figures are not. */
export function installedProgram(name: string): string | undefined
