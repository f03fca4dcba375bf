/** For tests in TypeScript. */
export function installedProgram(name: string): string | undefined
