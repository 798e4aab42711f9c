"""Fields of surveys, censuses and registers of statistical offices."""

from __future__ import annotations

from collections.abc import Mapping

SURVEYS: Mapping[str, Mapping[str, str]] = {
    "the Current Population Survey": {
        "household": "hrhhid hrhhid2 ~serial hid cpsid hseq",
        "person": "~pulineno cpsidp phseq",
        "weight": "pwsswgt pworwgt pwcmpwgt hwhhwgt wtfinl asecwt earnwt marsupwt hsupwt",
        "ground": "prtage pesex ptdtrace pehspnon pemaritl prcitshp penatvty pemntvty pefntvty ~ahga asex prdtrace "
        "peafnow",
        "place": "gestfips gereg gtcbsa gtmetsta gtco gtcbsasz geco statefip metarea metro ~county gestcen",
        "life": "peeduca pemlr peio1cow peio1ocd peio1icd prdtind1 prdtocc1 pehrusl1 pehract1 perrp hrnumhou prchld "
        "pefamtyp prfamrel prftlf prempnot labforce classwkr occ1990 ind1990 ahrswork1 uhrsworkt empstat ~relate "
        "nchild famsize hetenure",
        "money": "hefaminc prernwa prernhly pternwa pternh1o inctot incwage hourwage earnweek faminc ftotval hhincome",
        "politics": "peernlab ~voted ~union",
        "belief": "prdisflg pedisear pediseye pedisrem pedisphy pedisdrs pedisout diffany",
        "plain": "hrmis hryear4 mish asecflag hrintsta pxage prpertyp ~puwk hrlonglk",
        "date": "hrmonth",
    },
    "EU-SILC": {
        "plain": "db010 db020 rb010 rb020 hb010 hb020 pb010 pb020 db075 rb100 rb245 rb250 db120 db130 db135 hb100",
        "household": "db030 hb030 rb040 px030 rx030 hx030",
        "person": "rb030 pb030",
        "weight": "db090 db095 rb050 rb060 rb062 pb040 pb050 pb060",
        "ground": "rb070 rb080 rb081 rb082 rb090 rb031 pb110 pb130 pb140 pb150 pb190 pb200 pb210 pb220a rx010 rx020 "
        "rb220 rb230 rb240 ~px010 rb032",
        "place": "db040 db100",
        "unit": "db050 db060 db062 db070",
        "life": "pe010 pe020 pe030 pe040 pe041 pl030 pl031 pl032 pl040 pl050 pl051 pl060 pl073 pl080 pl110 pl111 "
        "pl111a pl120 pl130 pl140 pl150 pl190 pl200 rb170 rb180 rb210 rb211 hh010 hh020 hh021 hh030 hx010 hx040 hx050 "
        "hx060 hs110 hb110 hb120 hb130 rl010 rl030 hb050",
        "health": "ph010 ph020 ph030 ph040 ph050 ph060 ph070",
        "money": "hy010 hy020 hy022 hy023 hy025 hy040n hy040g hy050n hy050g hy060n hy070n hy080n hy090n hy100n hy110n "
        "hy120n hy130n hy140n hy145n hy140g py010n py010g py020n py035g py050n py050g py080g py090n py090g py100n "
        "py100g py110n py120n py130n py140n hs010 hs011 hs021 hs031 hs040 hs050 hs060 hs070 hs080 hs090 hs100 hs120 "
        "hs130 hs140 hs150 hh040 hh050 hh060 hh061 hh070 hh071 hx080 hx090 hx100 rx050 rx060 rx070",
    },
    "the European Social Survey": {
        "weight": "dweight pspwght pweight anweight",
        "person": "idno",
        "unit": "psu ~stratum intnum",
        "plain": "essround ~edition proddate ~name inwmms inwtm",
        "ground": "gndr agea yrbrn cntbrth cntbrthd ctzcntr ctzshipc ctzshipd facntr mocntr blgetmg lnghom1 lnghom2 "
        "rshpsts marsts maritalb marstgb brncntr fbrncntc mbrncntc livecnta",
        "belief": "rlgblg rlgdnm rlgdnme rlgatnd pray rlgdgr hlthhmp",
        "place": "~region regunit domicil",
        "life": "hhmmb eisced edulvlb edulvlpb eduyrs mnactic mainact emplrel wkhct wkhtot wrkctra isco08 isco08p "
        "nacer2 nacer# tporgwk uemp3m uemp12m chldhhe chldhm pdwrk estsz jbspv eisceda eiscedp eiscedf eiscedm iscoco "
        "partner crpdwk rshipa2",
        "money": "hinctnta hincfel hincsrca",
        "politics": "lrscale vote prtvt# clsprty prtclc# mbtru polintr prtdgcl cptppola psppsgva actrolga contplt "
        "wrkprty badge sgnptit pbldmn bctprd",
        "score": "happy stflife stfeco stfgov stfdem stfedu stfhlth trstprl trstlgl trstplc trstplt trstprt trstep "
        "trstun ppltrst pplfair pplhlp imsmetn imdfetn impcntr imbgeco imueclt imwbcnt nwspol netusoft netustm "
        "gincdif freehms euftf sclmeet inprdsc sclact aesfdrk atchctr atcherp ipcrtiv imprich ipeqopt ipshabt impsafe "
        "impdiff ipfrule ipudrst ipmodst ipgdtim impfree iphlppl ipsuces ipstrgv ipadvnt ipbhprp iprspot iplylfr "
        "impenv imptrad impfun",
        "health": "health cgtsmok alcfreq etfruit dshltgp",
        "crime": "crmvct",
    },
    "SHARE": {
        "person": "mergeid",
        "household": "hhid# coupleid# hhidcom",
        "weight": "cciw# cchw# dw",
        "ground": "dn002 dn003 dn004 dn007 dn014 dn042 ageint yrbirth mobirth dn005c",
        "life": "dn010 dn041 ep005 ep009 ch001 ~hhsize isced1997r isced# nchild cjs sizejobs partnerinhh",
        "health": "ph003 ph006d# ph012 ph013 ph048d# ph049d# br001 br002 br015 bmi2 euro1 eurod maxgrip mh002 casp "
        "sphus chronic# adl iadl gali hc012 hc002 cf008tot numeracy#",
        "money": "thinc hnetw co007 ydip yind hnfass hgfass",
        "plain": "~wave firstwave waveid",
        "place": "nuts1# nuts2# nuts3#",
    },
    "PISA, TIMSS and PIRLS": {
        "person": "cntstuid stidstd idstud",
        "unit": "cntschid ~schoolid idschool idclass idteach ~stratum jkzone jkrep",
        "weight": "wfstuwt wfstr# totwgt senwgt houwgt schwgt wfschgrnrabwt ~wmle",
        "place": "cnt cntryid",
        "ground": "st004d01t st003d02t st003d03t st019q01t st019aq01t st019bq01t st019cq01t immig st022q01ta itsex "
        "itlang bsbg01 asbg01 ~age langn st021q01ta bsdage asdage itbirthy itbirthm idcntry ~idgrade ~bsdgedup",
        "life": "st001d01t ~grade bfmj2 bmmj1 hisced hisei fisced misced st005q01ta st007q01ta bsbg# asbg# ocod1 "
        "ocod2 ocod3 isced# progn hedres bsbg07a durecec",
        "money": "homepos icthome escs ~wealth",
        "score": "pv1math pv1read pv1scie pv2math pv3math pv4math pv5math pv2read pv2scie belong anxmat joyread "
        "bsmmat01 bsssci01 asmmat01 asrrea01 bsmmat# bsssci# asrrea# bullied# beingbullied teachsup ~truancy skipping "
        "mathhom tardysd metasum",
        "plain": "ver dat ~language adminmode bookid idbook ~oecd regionid",
    },
    "the German Socio-Economic Panel": {
        "person": "pid persnr ~pnr",
        "household": "hid hhnr hhnrakt cid",
        "weight": "phrf hhrf phrf1",
        "ground": "~sex gebjahr gebmonat migback corigin germborn pgnation pgfamstd ~partz ~ple0097",
        "belief": "plh0258h",
        "place": "bula bulan sampreg l11101 l11102 gkpol ~rgtyp bik",
        "life": "pgstib pgemplst pgisced97 pgisced11 pgbilzt pgpsbil pgpbbil pgerwzeit pgexpft pgexppt pgexpue pglfs "
        "pgjobch pgoeffd pgallbet pgnace pgisco08 pgisco88 pgkldb2010 d11106 d11107 d11109 h11101 hgtyp1hh hgowner "
        "hgsize hgroom hlf0001 pgtatzeit pgvebzeit pguebstd e11101 e11102 e11103",
        "money": "pglabgro pglabnet hghinc hgrent hlc0005 i11101 i11102 i11103 i11110 hgheat ijob1 plc0013 plc0014",
        "politics": "plh0007 plh0011 plh0012 plh0013 plh0004",
        "health": "ple0008 ple0010 ple0012 ple0040 ple0041 ple0081 mcs pcs m11126 plb0021",
        "score": "plh0182 plh0171 plh0172 plh0173 plh0174 plh0175 plh0176 plh0204 p11101 plj0046",
        "plain": "syear psample erhebj ~netto pnetto hnetto",
    },
    "the German pension insurance": {
        "person": "~vsnr fdzid",
        "ground": "gevs gbja gbjavs fmsd savs saat",
        "place": "wohnbl wobl wobland",
        "life": "byvl azz sbbi ~kind kindzahl zlki ttsc1kldb tbbw",
        "money": "egpt rtzb rtza psegpt brtt zahlbetrag",
        "health": "mdg mdg1 mdgbgr rtart rtat",
    },
    "the Mikrozensus": {
        "household": "ef1hh efhh",
        "ground": "ef44 ef46 ef49 ef368 ef369 ef370 staatsang geschl famstand",
        "life": "ef29 ef31 ef117 ef127 ef136 ef310 ef312 ef540 ef563 ef770 ~ilo",
        "money": "ef436 ef707 ef492",
        "weight": "ef952 ef951 ef1050 hrf",
        "place": "ef1 ef563bula",
    },
    "the French statistical office": {
        "person": "~ident ~noi numi idindiv",
        "household": "identmen idlog identlog nummen nquest",
        "weight": "extri extri# extridf extrian pondqual pondmen poidsindiv ipondi pondi ~pond poiddef extri16",
        "ground": "ag5 ag age6 anais mnais natio1 nat14 nat28 nation1 nfr acnai dnai28 etamat matri ~immi inat "
        "immilettre paysnais paynais trage trageq agerev agerevq naia naim",
        "place": "iris triris dep depr ~dept reg rega tu99 tu2010 tau tauq catau cataeu catpau catagglo tuu tuu2017 "
        "zus tu tailleuu uu2010 cantville zemp aav tdaav statutcom zau taav2017 depdom regdom",
        "life": "csp cspp cser csei csar pcs pcs8 pcs24 pcs2020 cstot cstotr cs24 cs42 cs8 csmen naf naf17 nafg# "
        "nafg10 nafg17 nafg38 nafg88 a38 a64 act actop acteu acteu6 actp# statut statutr stat2 sitanc ~public pub3fp "
        "titc ~contra chpub tpp txtppb duhab hhc emphnh hplus ancentr ancent4 dip dip11 ddipl ~diplome nivet ~form "
        "forter lpr lprm typmen typmen5 typmen7 typmen15 nbenf nbenfa nbtot nbpers enfc ~couple so nbagenf npers stoc "
        "tymen typlog prfrm nbind ~situa situae siteco tuttact ~foyer taillefoy taillemen",
        "money": "salred salmee salmet revmen revuc niviem nivvie zsalfo ~salaire tranchrev trrev trancherev revfoy "
        "decile# rfr revdisp csg zperi",
        "health": "bsante bmaladi bhandicap sante1 ald etatsante",
        "politics": "intvote vote# prochepol proximite partipol",
        "plain": "annee# trim rgi ~rang ~vague collecte ~proxy",
    },
    "the Spanish statistical office": {
        "household": "nvivi idhogar nhogar idviv numh identhogar",
        "person": "~npers nordenp idpers",
        "weight": "factorel ~factor facpob fac2 pesoper pesohog factorb",
        "ground": "edad1 edad5 sexo1 eciv1 nac1 regna1 extna1 expais1 ~nac paisn sexoa",
        "place": "ccaa prov cpro tamu capmu tamuni ~estrato codmun ~muni",
        "life": "nforma aoi cse edtiem situ ducon1 ducon2 parco1 trarem ocup1 act1 relpp1 ayudfa sidi1 sidac1 itbu "
        "~ocupa estu nforma3 horash efecso asala sitprof nivest nivestud tamhog tiphogar nmiemb",
        "money": "rentabruta ingnet imporhog impexac exptot ~importe rentahog",
        "date": "ciclo ~fnac",
    },
    "the Brazilian registers": {
        "person": "nunotific npront numregistro nis cns pis ctps cpf rg numerodo numerodn nprocesso nunis cartaosus",
        "weight": "v1028 v1032 v1027",
        "ground": "cssexo csraca nuidaden dtnasc idade# racacor v2007 v2009 v2010 sexotrabalhador faixaetaria tpsexo "
        "codraca",
        "place": "sguf idmunicip idmnresi codmunres codmunocor idregiona municipiodetrabalho ~uf cepres comuninf "
        "codmuncad sgufnot",
        "life": "csescoln escmae esc2010 idocupan ocup cbo cbo2002 cnae cnae20 cnae20classe grauinstrucao "
        "escolaridadeaposta tempoemprego vinculoativo3112 tipovinculo tamestab naturezajuridica qtdhoracontr tempemp "
        "vd3004 vd4001 vd4002 vd4008 vd4009 v2001 v2005 cbo94",
        "date": "dtnotific dtsinpri dtobito dtinterna dtencerra dtinternacao semnot semepi mesadmissao "
        "mesdesligamento nuano dtalta",
        "money": "vlremunmedianom vlremundezembrosm vlremunmedia vdrendimento vd4016 vd4019 vd4020 vltotal "
        "salariocontratual vlsalario",
        "health": "classifin criterio evolucao hospitaliz causabas tpobito linhaa linhab diagprinc diasperm morte "
        "procrea agravo tpnot gestacao gravidez parto consultas apgar1 apgar5 ~peso semagestac idanomal tpgestacao "
        "csgestant",
        "unit": "cnes idunidade codestab",
        "outcome": "motivodesligamento motdesl",
    },
    "the Dutch statistical office": {
        "person": "rinpersoon rinpersoons bsn burgerservicenummer",
        "household": "rinhuishouden huishoudnr huishoudnummer",
        "ground": "gbageslacht gbageboorteland gbageboortejaar gbageboortemaand gbageneratie gbaburgerlijkestaatnw "
        "etngrp gbaherkomstgroepering ~geslacht gbageboortelandmoeder gbageboortelandvader burgst",
        "place": "gemeentecode gemjj wijkcode buurtcode postcode4 pc4 pc6 provcode corop stedgem",
        "life": "plhh typhh aantalpershh aantalkindhh opleidingsnr oplnivsoi2016 oplnr secm sbicode sbi2008 "
        "contractsoort polisdienstverband scontractsoort sociaaleconomischecategorie secm# soortbaan voltijddagen",
        "money": "inhbrutinkh inhgestinkh inpbelih vehw1000verh inkomensklasse sbasisloon slningld besteedbaarinkomen "
        "percinkomen wozwaarde inhp100hgest",
    },
    "the Italian statistical office": {
        "person": "nprog progind ~progfam codfisc numques",
        "household": "profam idfam ~nquest codfam",
        "weight": "coefin ~coef ~coeff cofin pesofit ~peso coefficiente",
        "ground": "etam etacl annonas ~sesso staciv cittad citt statociv ~cittadinanza etami",
        "place": "ripmf regmf ripgeo rip ripart5 ripart rip3 ~prov codcom acom4c acom5c acom",
        "life": "titstu istrmi condmi cond3 cond10 posprof posmi ateco atecom ncomp numcomp relpar relpar5 tipfa2m "
        "tipnu2 catpro oremi qualp settp apqual ~studio",
        "money": "~reddito y yl yt yc y1 retric redd redfam consumo",
    },
    "the General Social Survey": {
        "weight": "wtssall wtssnr wtssps",
        "ground": "~sex ~age ~race racecen1 born parborn ~marital ~hispanic ~cohort ~ethnic",
        "belief": "relig relig16 attend reliten fund sexornt",
        "life": "~degree ~educ paeduc maeduc speduc wrkstat occ10 indus10 wrkslf hrs1 childs hompop prestg10 sibs "
        "sei10 dwelown earnrs family16 res16",
        "place": "~region srcbelt xnorcsiz reg16 ~size",
        "politics": "partyid polviews pres16 pres20 vote16 vote20",
        "score": "happy hapmar satjob satfin ~trust ~helpful ~fair ~class abany cappun gunlaw grass natspac confinan "
        "conbus letin1 fepol ~life news tvhours",
        "money": "income16 rincom16 realinc realrinc coninc conrinc finrela",
        "health": "~health hlthmntl mntlhlth",
        "plain": "ballot ~form ~version ~mode ~year",
        "unit": "vstrat vpsu",
        "person": "~id",
    },
    "NHANES": {
        "person": "seqn",
        "weight": "wtint2yr wtmec2yr wtsaf2yr wtintprp wtmecprp",
        "unit": "sdmvpsu sdmvstra",
        "ground": "riagendr ridageyr ridagemn ridreth1 ridreth3 dmdmartl dmdcitzn dmdborn4 dmqadfc",
        "life": "dmdeduc2 dmdeduc3 dmdhhsiz dmdfmsiz dmdhragz dmqmiliz dmdyrsus dmdhredz ocd150",
        "money": "indhhin2 indfmin2 indfmpir",
        "health": "bmxbmi bmxwt bmxht bmxwaist bpxsy1 bpxdi1 bpxsy2 bpxdi2 bpxpls lbxtc lbdhdd lbxgh lbxglu diq010 "
        "bpq020 smq020 smq040 alq101 alq111 alq121 paq605 paq650 slq050 sld012 slq060 hiq011 hsd010 mcq160 mcq080 "
        "dpq# lbx# urx# ghb huq010 huq030",
        "plain": "sddsrvyr ridstatr ridexmon",
        "sexlife": "sxq021 sxd031 sxd171",
    },
    "polls": {
        "plain": "~vague ~mode modeenq modecol interviewmode modeinterview erhebungsmodus ~welle splitvers modeint "
        "moderecueil",
        "ground": "rs1sexe rs2age rs2tr ~sexe s1 rsage rssexe tragerec",
        "life": "rs3pcs rs4dipl pcsr pcsi diplint pcsinterv pcschef",
        "place": "catagglo tailleagglo ortsgr ortsgroesse gkpol uda5 uda9 regionuda rsreg tamhab",
        "money": "revfoy revmens hhne hhnek haushnetto",
        "weight": "pds pdsredr pdsred poidsred redr pdsfin poidsfinal coefred gewichtung repgew ostwestgew hhgew "
        "persgew pondera ponde ponderacion ponderador",
        "politics": "~intention intvote q3intention certvote sonntagsfrage recuerdo recuerdovoto intencion ~voto "
        "cercania simpatia",
        "score": "dureesec dureeentretien lrs",
        "person": "idrep idresp idrepondant ~respid resplfdnr cuest lfdn numcuest",
    },
}  # fmt: skip
"""Kinds of column by standard, and the names of the fields of each."""
