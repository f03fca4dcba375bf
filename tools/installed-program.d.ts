export function installedProgram(name: string): string | undefined
