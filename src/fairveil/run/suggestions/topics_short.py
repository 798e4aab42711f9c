"""Short words that stand alone in names of exports (`PAX_NAT`, `deg_lvl`, `hh_size_tot`), in seven languages.

They have so few letters that they are not looked for inside other words.
"""

from __future__ import annotations

from fairveil.run.suggestions.topic_words import Topic

SHORT_WORDS = (
    Topic("ground", 4, "nationality",
          "nat hkl cob coo natl nlty ctz cit+stat pob pais+nac cod+nac land+nat nat+land nasc+pais"),
    Topic("ground", 4, "race, colour or origin",
          "volkszug herk herk+gr herkgr ethn eth+orig ethn+orig ethn+gr migr+hg mighg bkg+ethn"),
    Topic("ground", 4, "sex or gender",
          "gesl gsl sx gndr sxe geschl gschl mf+kz baby+sex child+sex"),
    Topic("ground", 4, "age",
          "lft yob dob geb gebj nasc nasct nais ddn bday dtn ano+nasc anno+nasc lftkl agegr"),
    Topic("ground", 4, "marital status",
          "mstat mar+sit fst burg+st burgst ecv civ+stat stat+civ sitfam marit"),
    Topic("belief", 4, "religion or belief",
          "rlg relg kerkgez kerk rel+aff relig+aff konf denom faith+cd"),
    Topic("belief", 4, "a disability or pregnancy",
          "dsbl disab dis+cat disb wheelch nec+esp nee handic gdb mdph"),
    Topic("life", 4, "school or studies",
          "deg deg+lvl opl opl+niv crs crs+cd maj maj+cd curric ano+curric edu+cd edu+yrs yrs+edu ed+lvl lvl+edu "
          "sch+typ sch+type sch+cd fak stg cls+yr yr+grp yrgrp grd+lvl frmn nivel+ens schulf bldg+niv abschl"),
    Topic("life", 4, "work",
          "yrs+svc yrs+serv svc+yrs tm+in+role time+in+role yrs+role yrs+exp exp+yrs =lvl job+lvl joblvl jobgr "
          "job+grp job+fam jobfam ttl job+ttl jobttl =bu =bus+unit afd afdeling dienstverb deelt+factor deeltijd "
          "fte+factor ft+pt schaal schaal+nr trede anni+contr anz+jahre dj betr+zug wrk+arr work+arr emp+grp empgrp "
          "emp+cat empcat erw+stat erwst econ+act econ+stat econstat lf+stat occ+grp occgrp ocup+grp prof+grp "
          "berufsgr brche nace+cd sic+cd vert+art vertr+art"),
    Topic("life", 4, "family and home",
          "hh+size hhsz hh+sz hh+size+tot size+hh hh+grootte hhgrootte hh+typ hhtyp hh+type n+agreg agreg bg+pers "
          "pers+bg shelter shelter+typ shelter+type pop+grp pop+group displ+stat idp bed+need beds+need beds+req "
          "curr+ten ten+typ tentyp ten+type hsg+typ dwell+typ dwel+typ wohnf anz+zi kids+num n+kids nkids n+child "
          "nchild dep+no deps+no hoh+rel rel+code relcode hh+pos hh+comp"),
    Topic("place", 4, "where somebody lives or is",
          "pc+out pcd pcds dist+cd dist+code dist+nm orig+apt dest+apt =orig =dest dep+apt arr+apt orig+cd dest+cd "
          "dep+stn arr+stn from+st to+st from+stn to+stn from+station to+station start+station end+station st+res "
          "res+st state+res cty rgn reg+nm =gov gov+nm gouv muni mun+nm foro st+lat st+lng end+lat end+lng lat+cd "
          "lon+cd gem+nr kr+nr =bl bdl prov+nm town+cd loc+desc loc+cd home+zone xing entnahmeort etab+penit"),
    Topic("date", 4, "when something happened to somebody",
          "dat dtm dttm spende+dat ent+dat ein+dat in+dienst uit+dienst dt+ecrou dt+lib dep+dt arr+dt iss+dt iss+dtm "
          "reg+dat antr+dat einreise fec fech+ing fech+alta dec+pens"),
    Topic("staff", 4, "who treated, asked or dealt with somebody",
          "sb+kz arzt+kz arzt+nr bearb+kz enum+code enum+cd enum+id insp+off off+id crew+lead crew+id amb+unit "
          "midwife+id rep+cd ref+kz enq+code int+code case+wkr wkr+id"),
    Topic("unit", 4, "how people were drawn",
          "cluster+no clust+no clst ea+no psu+no strat+no"),
    Topic("thing", 3, "circumstances that others see",
          "veh+col veh+mk veh+mod xing+mode travel+mode trav+mode cabin+cls cab+cls visa+cls dev+os phone+os"),
    Topic("plain", 5, "when and how a record was made",
          "=fy fy+qtr fisc+yr fiscal+year haushaltsjahr rep+yr rpt+yr pay+run pay+run+no run+no prog+cd pres+cd "
          "afn+meth afn+datum veldwerk abr+monat abrechnungsmonat file+yr data+yr ref+yr ref+year "
          "anno+rif ejercicio exercice"),
    Topic("money", 5, "money",
          "late+pay late+pays missed+pay missed+pays rend rend+agreg rend+pc ink ink+kl ink+bruto bruto+mnd "
          "netto+mnd prin orig+prin os+prin arpu inc+pa income+pa redd ryczalt regelbed kdu anr+eink imp+pens"),
    Topic("health", 4, "health",
          "gravida ebl bwt apgar del+mode nnu dx+cd proc+cd dispo ccl drg+cd pflgr pflgrad blutgr hb+wert rr+syst "
          "rr+diast"),
    Topic("score", 4, "scores, marks and opinions",
          "vertr+reg vertr+pol trust+gov trust+pol tevr tevr+leven zufr+leb zufr+arb satisf fcs rcsi hhs beoord "
          "beoordeling ot+hrs overtime+hrs overtime+hours pts pts+tot prio+band"),
    Topic("outcome", 4, "what became of somebody",
          "reden+uit uit+reden leave+rsn lvg+rsn cancel+rsn canc+rsn mot+indef vol+term besch+art"),
    Topic("life", 3, "work",
          "watch duty+sys duty+system shift+sys rank+cd skill+grp skillgrp skill+group"),
    Topic("place", 3, "where somebody lives or is",
          "lacode la+code la+cd ccaa ccaa+res stn wohnbl wohn+bl"),
    Topic("life", 3, "family and home",
          "plcmt placement+type plcmt+typ n+desc n+descend num+desc"),
    Topic("ground", 3, "nationality",
          "lang+cd lang+code language+cd"),
    Topic("plain", 4, "how people were reached",
          "enrl+ch enrol+channel client+code clientcode queue queue+nm"),
)  # fmt: skip
"""The words of each topic."""
