{{/* What every pod has: nobody's rights, and none of the cluster's. (list $ user) */}}
{{- define "catalog.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ index . 1 }}
  runAsGroup: {{ index . 1 }}
  fsGroup: {{ index . 1 }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with (index . 0).Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "catalog.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{/* Where pods may run: the values of a component. */}}
{{- define "catalog.placement" -}}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{/* One variable from a Secret: (list name secret key). */}}
{{- define "catalog.secretVariable" -}}
- name: {{ index . 0 }}
  valueFrom:
    secretKeyRef:
      name: {{ index . 1 }}
      key: {{ index . 2 }}
{{- end -}}

{{/* The three variables of a credential: (list prefix credential). */}}
{{- define "catalog.credential" -}}
{{- $prefix := index . 0 -}}
{{- $from := index . 1 -}}
{{- if $from.secret }}
{{ include "catalog.secretVariable" (list (printf "%sACCESS_KEY_ID" $prefix) $from.secret $from.accessKeyIdKey) }}
{{ include "catalog.secretVariable" (list (printf "%sSECRET_ACCESS_KEY" $prefix) $from.secret $from.secretAccessKeyKey) }}
{{- if $from.sessionTokenKey }}
{{ include "catalog.secretVariable" (list (printf "%sSESSION_TOKEN" $prefix) $from.secret $from.sessionTokenKey) }}
{{- end }}
{{- end }}
{{- end -}}

{{/* What is secret, the same for servers and workers. */}}
{{- define "catalog.secrets" -}}
{{- include "catalog.credential" (list "LANCE_S3_" .Values.storage.s3.credentials) }}
{{- include "catalog.credential" (list "LANCE_S3_CLIENT_" .Values.storage.s3.clientCredentials) }}
{{- range .Values.storage.projectCredentials }}
{{- $prefix := printf "LANCE_STORAGE_CREDENTIALS_%s_" (upper .name) }}
- name: {{ $prefix }}PROJECT
  value: {{ .project | quote }}
{{- include "catalog.credential" (list $prefix .) }}
{{- if .clientAccessKeyIdKey }}
{{ include "catalog.secretVariable" (list (printf "%sCLIENT_ACCESS_KEY_ID" $prefix) .secret .clientAccessKeyIdKey) }}
{{ include "catalog.secretVariable" (list (printf "%sCLIENT_SECRET_ACCESS_KEY" $prefix) .secret .clientSecretAccessKeyKey) }}
{{- end }}
{{- end }}
{{- if and .Values.access.authorization.enabled .Values.access.authorization.token.secret }}
{{ include "catalog.secretVariable" (list "LANCE_FGA_TOKEN" .Values.access.authorization.token.secret .Values.access.authorization.token.key) }}
{{- end }}
{{- range .Values.access.bootstrapKeys }}
{{ include "catalog.secretVariable" (list (printf "LANCE_BOOTSTRAP_KEYS_%s_KEY" (upper .name)) .secret .key) }}
{{- end }}
{{- range $name, $from := .Values.secretSettings }}
{{ include "catalog.secretVariable" (list $name $from.secret $from.key) }}
{{- end }}
{{- end -}}

{{/* The environment of a server or a worker: (list $ component-values job-workers). */}}
{{- define "catalog.environment" -}}
{{- $ := index . 0 -}}
envFrom:
  - configMapRef:
      name: {{ include "catalog.fullname" $ }}
env:
  - name: JAVA_OPTS
    value: {{ printf "-Xmx%s -XX:-CreateCoredumpOnCrash %s" (index . 1).heap (index . 1).jvmOptions | trim | quote }}
  - name: LANCE_JOBS_WORKER
    value: {{ index . 2 }}
  {{- with include "catalog.secrets" $ | trim }}
  {{- . | nindent 2 }}
  {{- end }}
volumeMounts:
  # The native library is unpacked here and mapped as code; the root of the container stays as it was built.
  - name: scratch
    mountPath: /tmp
  {{- if $.Values.storage.volume.enabled }}
  - name: data
    mountPath: /var/lib/catalog
  {{- end }}
{{- end -}}

{{- define "catalog.volumes" -}}
{{- $ := index . 0 -}}
volumes:
  - name: scratch
    emptyDir:
      sizeLimit: {{ index . 1 }}
  {{- if $.Values.storage.volume.enabled }}
  - name: data
    persistentVolumeClaim:
      claimName: {{ default (include "catalog.fullname" $) $.Values.storage.volume.existingClaim }}
  {{- end }}
{{- end -}}
