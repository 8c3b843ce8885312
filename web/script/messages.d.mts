import type { Plugin } from "vite";

export function messages(): Plugin;
export function missingTexts(): { name: string; keys: string[] }[];
