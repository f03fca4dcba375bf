import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    realm_domains: { organization_id: number; id: number; domain: string; allow_subdomains: boolean }
  }
}
