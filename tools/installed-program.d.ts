/** Types for tests in TypeScript. */
export function installedProgram(name: string): string | undefined
