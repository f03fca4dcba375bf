export function decodeHtml(bytes: Uint8Array, declared: string): string
export function decodeUndeclared(bytes: Uint8Array, fallback?: string): string
export function legacyEncoding(label: string): string | undefined
