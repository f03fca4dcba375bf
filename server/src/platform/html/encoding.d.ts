export function decodeHtml(bytes: Uint8Array, declared: string): string
