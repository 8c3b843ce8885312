export function partOf(): (
  id: string,
  graph: { getModuleInfo(id: string): { importedIds: string[] } | null },
) => string | null;
